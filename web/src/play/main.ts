import { mount } from 'svelte';
import '../shared/styles.css';
import Play from './Play.svelte';

const target = document.getElementById('app');
if (target) mount(Play, { target });
