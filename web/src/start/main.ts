import { mount } from 'svelte';
import '../shared/styles.css';
import Start from './Start.svelte';

const target = document.getElementById('app');
if (target) mount(Start, { target });
